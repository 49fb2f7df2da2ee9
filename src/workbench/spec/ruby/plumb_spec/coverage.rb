require 'json'

module RSpec
  module Puppet
    # Resources of the tested module, and the ones that examples looked at.
    class Coverage
      class << self
        %i[add cover! report! filters filters_regex add_filter add_filter_regex add_from_catalog results state merge].each do |name|
          define_method(name) { |*arguments| instance.public_send(name, *arguments) }
        end
        attr_writer :instance

        def instance = @instance ||= new
      end

      attr_accessor :filters, :filters_regex

      def initialize
        # Names of resources; true if an example has looked at the resource.
        @collection = {}
        @filters = ['Stage[main]', 'Class[Settings]', 'Class[main]', 'Node[default]']
        @filters_regex = []
      end

      # Results of this process, for the one that reports them.
      def state = [@collection, @filters.uniq, @filters_regex.map(&:source).uniq]

      def merge((collection, filters, patterns))
        @collection.merge!(collection) { |_, one, other| one || other }
        @filters |= filters
        @filters_regex |= patterns.map { |source| Regexp.new(source) }
      end

      def add(resource)
        name = resource.to_s
        @collection[name] ||= false unless @collection.key?(name) || filtered?(name)
      end

      def add_filter(type, title)
        type = capitalize_name(type)
        title = capitalize_name(title) if type == 'Class'
        name = "#{type}[#{title}]"
        @filters << name unless @filters.include?(name)
      end

      def add_filter_regex(type, pattern)
        raise ArgumentError, 'pattern argument must be a Regexp' unless pattern.is_a?(Regexp)

        source = pattern.source
        source = source.start_with?('\\A', '^') ? source.sub(/\A(?:\\A|\^)/, '') : ".*#{source}"
        source = source.match?(/(?<!\\)(\\\\)*(?:\\[zZ]|\$)\z/) ? source.sub(/(?:\\[zZ]|\$)\z/, '') : "#{source}.*"
        @filters_regex << /\A#{Regexp.escape(capitalize_name(type))}\[#{source}\]\z/
      end

      def add_from_catalog(catalogue, test_module)
        # Examples share catalogs.
        return unless (@seen ||= {}.compare_by_identity)[catalogue].nil?

        @seen[catalogue] = true
        catalogue.resources.each { |resource| add(resource) if test_module.nil? || !filter_resource?(resource, test_module) }
      end

      def filtered?(resource)
        name = resource.to_s
        @filters.include?(name) || @filters_regex.any? { |pattern| pattern.match?(name) }
      end

      def cover!(resource)
        name = resource.to_s
        @collection[name] = true if @collection.key?(name) && !filtered?(name)
      end

      # Prints the report once, in the process that runs the suite.
      def report!(coverage_desired = nil)
        return if PlumbSpec.worker?

        report = results
        test(coverage_desired || 0, report)
        puts "\n\nCoverage Report:\n\n#{report[:text]}"
      end

      def results
        @collection.delete_if { |name, _| filtered?(name) }
        total = @collection.size
        untouched = @collection.reject { |_, touched| touched }.keys
        percentage = total.positive? ? (total - untouched.size) * 100.0 / total : 100.0
        report = { total: total, touched: total - untouched.size, untouched: untouched.size, coverage: format('%5.2f', percentage) }
        report[:resources] = @collection.transform_values { |touched| { touched: touched } }
        report[:text] = report_text(report, untouched)
        report
      end

      private

      def report_text(report, untouched)
        lines = ["Total resources:   #{report[:total]}", "Touched resources: #{report[:touched]}", "Resource coverage: #{report[:coverage]}%"]
        lines += ['', 'Untouched resources:', *untouched.map { |name| "  #{name}" }.sort] unless untouched.empty?
        lines.join("\n")
      end

      # Reports the desired coverage as an example.
      def test(desired, report)
        unless desired.is_a?(Numeric) && desired.between?(0, 100)
          puts "The desired coverage must be 0 <= x <= 100, not '#{desired.inspect}'"
          return
        end
        actual = report[:coverage].to_f
        group = RSpec.describe('Code coverage')
        example = group.example("must cover at least #{desired}% of resources") { expect(actual).to be >= desired.to_f }
        group.run(RSpec.configuration.reporter)
        result = example.execution_result
        if result.status == :failed
          RSpec.world.non_example_failure = true
          RSpec.world.wants_to_quit = true
        end
        result.pending_message = report[:text]
      end

      # True for a resource of another module, or declared in the code of another one.
      def filter_resource?(resource, test_module)
        return true if filtered?(resource)
        return true if resource.type == 'Class' && resource.title.split('::').first.downcase != test_module

        # Only classes have no file if they are declared in a file of the module.
        return resource.type != 'Class' if resource.file.nil?

        paths_of(test_module).none? { |path| resource.file.include?(path) }
      end

      def paths_of(test_module)
        (@paths ||= {})[test_module] ||=
          [*PlumbSpec.modulepath.map { |folder| File.join(folder, test_module, 'manifests') }, *RSpec.configuration.manifest]
      end

      def capitalize_name(name) = name.split('::').map(&:capitalize).join('::')
    end
  end
end
