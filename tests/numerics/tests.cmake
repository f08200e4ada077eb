fathom_test(numerics okada fathom_models)
fathom_test(numerics faults fathom_models fathom_io PkgConfig::CJSON)
