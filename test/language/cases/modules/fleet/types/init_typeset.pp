type Fleet = TypeSet[{
  pcore_version => '1.0.0',
  version => '1.0.0',
  types => { Vehicles => Array[C::Car] },
  references => { C => { name => 'Cars', version_range => '1.x' } },
}]
