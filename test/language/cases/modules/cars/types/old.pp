type Cars::Old = TypeSet[{
  pcore_version => '1.0.0',
  version => '1.0.0',
  types => { Door => P::Door },
  references => { P => { name => 'Cars::Parts', version_range => '1.x' } },
}]
