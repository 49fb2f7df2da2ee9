# Values of catalogs. References are resources, as in catalogs of Puppet.
module PlumbSpec
  module CatalogValues
    module_function

    def in(value)
      return value unless value.is_a?(Array)

      case value[0]
      when 'l' then value.drop(1).map { |each| self.in(each) }
      when 'h' then value.drop(1).each_slice(2).to_h { |key, each| [self.in(key), self.in(each)] }
      when 's' then Plumb::Values::Sensitive.new(self.in(value[1]))
      when '&', '*' then Plumb::Values.in(value)
      when 't' then reference(value) || Plumb::Values.in(value)
      else Plumb::Values.in(value)
      end
    end

    def reference(value)
      _, _, kind, name, title = value
      return Reference.new('Class', name) if kind == 'Class' && name
      return Reference.new(name, title) if kind == 'Resource' && name && title

      nil
    end
  end
end
