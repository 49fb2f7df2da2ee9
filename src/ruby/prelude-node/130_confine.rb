# Where a provider works: tests on commands, files, facts, features, or any truth.
$LOADED_FEATURES.push(*%w[confine confiner confine_collection confine/any confine/exists confine/false confine/feature confine/true
                          confine/variable provider/command].map { |name| "puppet/#{name}.rb" })

module Puppet
  # One test, all of whose values have to pass.
  class Confine
    @tests = {}

    class << self
      attr_accessor :name

      def inherited(made)
        super
        Confine.instance_variable_get(:@tests)[made.to_s.split('::').last.downcase.to_sym] = made
      end

      # The test of that name; modules may bring their own.
      def test(name)
        load_test(name) unless @tests.key?(name.to_sym)
        @tests[name.to_sym]
      end

      private

      def load_test(name)
        require "puppet/confine/#{name}"
      rescue LoadError
        @tests[name.to_sym] = nil
      end
    end

    attr_reader :values
    attr_accessor :name, :label, :for_binary
    alias for_binary? for_binary

    def initialize(values)
      @values = values.is_a?(Array) ? values : [values]
    end

    def message(_value) = ''
    def result = values.map { |value| pass?(value) }

    def valid?
      values.all? do |value|
        pass?(value).tap { |passed| Puppet.debug { "#{label}: #{message(value)}" } unless passed }
      end
    end

    class Exists < Confine
      def pass?(value) = value && (for_binary? ? !Util.which(value).nil? : File.exist?(value))
      def message(value) = "file #{value} does not exist"
    end

    class True < Confine
      def pass?(value) = value ? true : false
      def message(_value) = 'false value when expecting true'
    end

    class False < Confine
      def pass?(value) = !value
      def message(_value) = 'true value when expecting false'
    end

    class Any < Confine
      def pass?(value) = value ? true : false
      def message(value) = "0 confines (of #{value.length}) were true"
      def valid? = values.any? { |value| pass?(value) }
    end

    class Feature < Confine
      def pass?(value) = Puppet.features.public_send("#{value}?")
      def message(value) = "feature #{value} is missing"
    end

    # By a setting or a fact.
    class Variable < Confine
      def pass?(value) = known == value.to_s.downcase
      def valid? = values.any? { |value| pass?(value) }
      def message(_value) = "facter value '#{known}' for '#{name}' not in required list '#{values.join(',')}'"

      private

      def known = (Puppet.settings.valid?(name) ? Puppet[name] : Facter.value(name)).to_s.downcase
    end
  end

  class ConfineCollection
    attr_reader :label

    def initialize(label)
      @label = label
      @all = []
    end

    def confine(tests)
      for_binary = tests[:for_binary]
      tests.each do |name, values|
        next if name == :for_binary

        made = (Confine.test(name) || Confine.test(:variable)).new(values)
        made.name = name
        made.for_binary = for_binary
        made.label = label
        @all << made
      end
    end

    def valid? = @all.all?(&:valid?)
    # What does not pass, by test.
    def summary = @all.reject(&:valid?).group_by { |each| each.class }.transform_values { |list| list.flat_map(&:values) }
  end

  module Confiner
    # A block is asked each time.
    def confine(tests) = confine_collection.confine(tests)
    def confine_collection = @confine_collection ||= ConfineCollection.new(to_s)
    def suitable?(short = true) = short ? confine_collection.valid? : confine_collection.summary
  end
end
