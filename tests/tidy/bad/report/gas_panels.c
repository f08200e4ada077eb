// Belongs to report/gas/.
