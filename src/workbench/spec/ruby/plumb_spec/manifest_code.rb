module PlumbSpec
  # Puppet code that an example is about: its conditions, and the declaration of the tested class, defined type or type.
  module ManifestCode
    def build_code(type, options)
      [site_pp_str, condition(:pre_condition), test_manifest(type, options), condition(:post_condition)].compact.join("\n")
    end

    def pre_cond = condition(:pre_condition)
    def post_cond = condition(:post_condition)

    def site_pp_str
      path = RSpec.configuration.manifest || PlumbSpec.default_manifest
      return '' if path.nil?
      return File.read(path) if File.file?(path)

      Dir[File.join(path, '*.pp')].sort.map { |file| File.read(file) }.join("\n")
    end

    def test_manifest(type, options = {})
      given = respond_to?(:params) ? params : options[:params]
      case type
      when :class then given.nil? || given.empty? ? "include #{class_name}" : "class { '#{class_name}': #{param_str(given)} }"
      when :define then "#{class_name} { #{title_code}: #{param_str(given || {})} }"
      when :type_alias
        "$test = #{str_from_value(options[:test_value])}\nassert_type(#{self.class.top_level_description}, $test)"
      end
    end

    def sanitise_resource_title(title) = title.include?("'") ? title.inspect : "'#{title}'"

    def param_str(params) = params.map { |name, value| "#{name} => #{str_from_value(value)}" }.join(', ')
    alias param_str_from_hash param_str

    def str_from_value(value)
      case value
      when Hash then "{ #{value.map { |key, each| "#{str_from_value(key)} => #{str_from_value(each)}" }.join(', ')} }"
      when Array then "[ #{value.map { |each| str_from_value(each) }.join(', ')} ]"
      when :default, :undef then value.to_s
      when Symbol then str_from_value(value.to_s)
      else value.inspect.gsub('$', '\\$')
      end
    end

    private

    def condition(name)
      value = respond_to?(name) ? public_send(name) : nil
      value.is_a?(Array) ? value.compact.join("\n") : value
    end

    def title_code
      return sanitise_resource_title(title) unless title.is_a?(Array)

      "[#{title.map { |each| sanitise_resource_title(each) }.join(', ')}]"
    end
  end
end
