type Sub::Deep = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => { B => String }}]
