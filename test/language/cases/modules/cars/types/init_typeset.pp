type Cars = TypeSet[{
  pcore_version => '1.0.0',
  version => '1.2.3',
  types => {
    Wheel => Object[{ attributes => { size => Integer } }],
    Car => { attributes => { regnbr => String, wheels => Optional[Array[Wheel]] } },
    Truck => Car { attributes => { load => { type => Integer, value => 10 } } },
    Id => Pattern[/^[a-z]+$/],
    Ids => Array[Id],
    Shape => Object { attributes => { w => Integer } },
    Knot => { attributes => { value => Any, rest => Optional[Knot] } },
    Tree => Variant[Integer, Array[Tree]],
    Paint => Cars::Id,
  },
}]
