type Cars::Parts = TypeSet[{
  pcore_version => '1.0.0',
  version => '2.1.0',
  types => { Door => Integer, Doors => Array[Door], Id => Integer },
}]
