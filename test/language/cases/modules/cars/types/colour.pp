type Cars::Colour = Enum[red, green]
