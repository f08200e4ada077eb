fathom_test(cli report_parts fathom_cli)
fathom_test(cli report fathom_cli PkgConfig::NETCDF PkgConfig::CJSON)
