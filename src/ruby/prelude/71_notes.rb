# What a call does in Ruby alone, for the host to know: told before the host may call again, and at the end of the call.
module Plumb
  module Notes
    LIST = []

    module_function

    def add(*note)
      LIST << note
      nil
    end

    # What runs cannot be remembered.
    def spoil(reason) = add('spoil', reason)

    # A list of what there is to tell as the host reads it; none where there is nothing.
    def take
      return [] if LIST.empty?

      told = Values.out(LIST)
      LIST.clear
      [told]
    end

    def tell
      Bridge.ask_at_once(['noted', *take]) unless LIST.empty?
    end
  end

  # Files of code that define functions or types: the host looks at what they read while they are loaded.
  module Loading
    def self.file(path)
      Bridge.ask('quiet', true)
      Kernel.load(path)
    ensure
      Bridge.ask('quiet', false)
    end
  end

  # Objects that one call after the other has: `changed` is told of those that a call changed in place.
  module Handed
    LIST = []
    CLOSED = {}

    module_function

    def out(value, digest = nil, &changed)
      LIST << [value, digest || digest_of(value), changed] if value.is_a?(Hash) || value.is_a?(Array) || (value.is_a?(String) && !value.frozen?)
    end

    # A number that data shares with nothing else, as far as numbers go. `Hash#hash`, and all that goes through the entries
    # of a hash in C, takes ten times as long in WebAssembly for each hash inside.
    def digest_of(value)
      parts = []
      take_apart(value, parts, 0)
      parts.hash
    end

    # Below a certain depth data may contain itself, which only Ruby's own digest bears.
    def take_apart(value, parts, depth)
      case depth < 100 && value
      when Hash
        keys = value.keys
        parts << :hash << keys.size
        parts.concat(keys)
        take_each_apart(value.values, parts, depth + 1)
      when Array
        parts << :array << value.size
        take_each_apart(value, parts, depth + 1)
      else parts << value
      end
    end

    def take_each_apart(values, parts, depth)
      index = 0
      while index < values.size
        value = values[index]
        value.is_a?(Hash) || value.is_a?(Array) ? take_apart(value, parts, depth) : parts << value
        index += 1
      end
    end

    # The objects that `yield` is handed are looked at when it is done.
    def within
      outer = LIST.dup
      LIST.clear
      yield
    ensure
      look
      LIST.replace(outer)
    end

    def look
      LIST.each do |value, digest, changed|
        next if digest_of(value) == digest

        Notes.spoil('changes what others have')
        changed.call
      end
    end

    # Whether a block uses no variable of the code around it but the path that it is for, and contexts.
    def closed?(block, path)
      used = CLOSED[block.source_location] ||= RubyVM::InstructionSequence.of(block).disasm.scan(VARIABLE).flatten.uniq.map(&:to_sym)
      (used & block.binding.local_variables).all? do |name|
        value = block.binding.local_variable_get(name)
        value == path || value.is_a?(Puppet::Pops::Lookup::Context)
      end
    end

    VARIABLE = /[gs]et(?:local|blockparam)\w* +(\w+)@/
  end

  # Numbers by chance come of what Ruby keeps in mind.
  module Chance
    %i[rand bytes random_number srand seed new_seed].each do |name|
      define_method(name) do |*arguments|
        Notes.spoil('chance')
        super(*arguments)
      end
    end
  end
  Random.singleton_class.prepend(Chance)
end

module Kernel
  %i[rand srand].each do |name|
    plain = instance_method(name)
    define_method(name) do |*arguments|
      Plumb::Notes.spoil('chance')
      plain.bind_call(self, *arguments)
    end
    module_function name
  end
end

class Module
  alias plumb_const_missing const_missing

  # It may be there another time.
  def const_missing(name)
    Plumb::Notes.spoil("lacks #{name}")
    plumb_const_missing(name)
  end

  private

  def method_added(name)
    Plumb::Changes.added(self, name)
  end

  def singleton_method_added(name)
    Plumb::Changes.added_to_object(self, name)
  end

  def const_added(name)
    Plumb::Changes.constant(self, name)
  end

  def included(owner)
    Plumb::Changes.mixed(owner, self)
  end

  def prepended(owner)
    Plumb::Changes.mixed(owner, self)
  end

  def extended(owner)
    Plumb::Changes.mixed(owner, self) if owner.is_a?(Module)
  end
end
