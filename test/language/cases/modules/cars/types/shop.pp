type Cars::Shop = TypeSet[{
  pcore_version => '1.0.0',
  version => '1.0.0',
  types => { Vehicle => C::Car, Vehicles => Array[C::Truck], Door => P::Door, All => Array[P::Doors] },
  references => { C => { name => 'Cars', version_range => '1.x' }, P => { name => 'Cars::Parts', version_range => '>=2.0.0 <3.0.0' } },
}]
