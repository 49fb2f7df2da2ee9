# Requests to the host about the node's machine; and replacements of prelude parts that only compilations need.
module Plumb
  module Node
    module_function

    # What the host does or knows; raises as Ruby's own Errno what goes wrong with it.
    def ask(name, *arguments)
      answer = Bridge.ask_at_once([name, *arguments.map { |each| Values.out(each) }])
      raise HostError.new(answer[1], answer[2], answer.drop(3)) unless answer[0] == 'ok'

      value = Values.in(answer[1])
      return value unless value.is_a?(Hash) && value.key?('errno')

      raise errno(value['errno'], value['path'])
    end

    # Asks about a file. An error names the function of CRuby that fails there.
    def ask_file(function, name, path, *arguments)
      ask(name, path, *arguments)
    rescue SystemCallError => error
      raise error.class.new(path, function)
    end

    def errno(name, subject)
      kind = Errno.const_defined?(name) ? Errno.const_get(name) : Errno::EIO
      subject.nil? ? kind.new : kind.new(subject)
    end
  end

  # Nothing of a call is remembered on a node: nobody wants to know what code does.
  module Notes
    %i[add spoil tell].each { |name| define_singleton_method(name) { |*| nil } }
    def self.take = []
  end

  module Handed
    def self.within = yield
    def self.out(*) = nil
  end

  module Verdict
    def self.moved = nil
  end

  module Loading
    def self.file(path) = Kernel.load(path)
  end
end

class Module
  private

  %i[method_added singleton_method_added const_added included prepended extended].each do |name|
    define_method(name) { |*| nil }
  end
  alias const_missing plumb_const_missing
  public :const_missing
end
