int trick;
