module PlumbSpec
  # The compilation that an example asks for. Equal compilations share their catalog.
  class Compilation
    # Number of catalogs that a process keeps.
    MOST = 64
    CATALOGS = {}
    NOTHING = { facts: {}, node: 'none', code: '', parameters: {}, extensions: {}, external: {}, serverFacts: {}, exported: false }.freeze

    class << self
      # The compilation of the current example, for Ruby code that calls functions.
      attr_writer :current

      def current = @current ||= new(NOTHING.merge(PlumbSpec.code_inputs))

      def catalogue(inputs)
        found = CATALOGS.delete(inputs) || compiled(inputs)
        CATALOGS.shift if CATALOGS.size >= MOST
        CATALOGS[inputs] = found
      end

      private

      def compiled(inputs)
        reply = Bridge.ask('compile', inputs)
        reply['logs'].each { |level, message,| PlumbSpec.log(level.to_sym, message) }
        Catalogue.new(reply['catalog'], inputs)
      end
    end

    def initialize(inputs)
      @inputs = inputs
      @calls = []
    end

    def catalogue = self.class.catalogue(text)
    # The kind of a function and the path of its Ruby file; nil if it does not exist.
    def function(name) = Bridge.ask('function', text([[name, ['l'], nil]]))
    # Calls a function. Its effects are visible in later calls and in the catalog.
    def call(name, arguments, &block) = ask('call', [0, name, arguments], &block)

    # Returns the answer to a question of Ruby code about this compilation.
    def ask(question, arguments, &block)
      id = block && Plumb::Values.hold(block)
      @calls << [question, Plumb::Values.out(arguments), id]
      Plumb::Values.in(Bridge.ask('call', text))
    end

    private

    def text(calls = @calls)
      inputs = calls.empty? ? @inputs : @inputs.merge(calls: calls)
      Wire.generate(PlumbSpec.config['recordsReads'] ? inputs.merge(spec: spec_file) : inputs)
    end

    # The spec file of the current example, also for examples in shared groups.
    def spec_file = RSpec.current_example&.metadata&.dig(:rerun_file_path).to_s.delete_prefix('./')
  end
end
