# What the code of modules could keep in mind from one call to the next, read from its compiled instructions: a call can be
# remembered by the host only where there is nothing of the kind.
module Plumb
  # What modules changed of Ruby and Puppet as they were when the prelude ended, and what stands in their constants.
  module Changes
    # Methods of classes at the start, by class.
    AT_START = {}.compare_by_identity
    # By class and name: a value that is no class, and its digest when it was defined.
    DATA = {}
    @watching = false

    module_function

    def watch
      ObjectSpace.each_object(Module) do |each|
        AT_START[each] = (each.instance_methods(false) + each.private_instance_methods(false)).to_h { |name| [name, true] }
      end
      @watching = true
    end

    def watching? = @watching
    def of_modules?(file) = !file.nil? && file.start_with?('/') && !file.start_with?('/prelude/', '/ruby/')
    # Methods that functions and templates become.
    def expected?(name) = name.match?(/\A(?:real_)?function_|\A__template_/)

    def added(owner, name)
      return unless @watching && (known = AT_START[owner]) && !expected?(name)

      changed(known.key?(name), name, owner.instance_method(name))
    end

    # A library of Ruby's own may change a method for those who call it; a module that does is not trusted at all. What a
    # library adds, and what open-uri does to `open`, tells code no more: without a network, that differs in errors alone.
    def changed(known, name, method)
      file = method.source_location&.first.to_s
      library = file.start_with?('/ruby/')
      return if library && (!known || file.end_with?('/open-uri.rb'))

      Notes.add(known && !library ? 'redefined' : 'defined', name.to_s, file)
    end

    def added_to_object(owner, name)
      return unless @watching && owner.is_a?(Module) && AT_START.key?(owner)

      changed(Known::METHODS.key?(name), name, owner.method(name))
    end

    def mixed(owner, mixin)
      return unless @watching && AT_START.key?(owner)

      mixin.instance_methods.each { |name| changed(false, name, mixin.instance_method(name)) }
    end

    def constant(owner, name)
      return if !@watching || owner.autoload?(name)

      value = owner.const_get(name, false)
      return if value.is_a?(Module) || !of_modules?(owner.const_source_location(name, false)&.first)

      DATA[[owner, name]] = [value, data?(value) ? Handed.digest_of(value) : nil]
    end

    # Whether a value is nothing but data, and so tells by its digest that it was changed.
    def data?(value, depth = 0)
      case value
      when nil, true, false, Numeric, Symbol, String, Regexp, Range, Proc, Encoding then true
      when Array, Set then depth < 20 && value.all? { |each| data?(each, depth + 1) }
      when Hash then depth < 20 && value.all? { |key, each| data?(key, depth + 1) && data?(each, depth + 1) }
      when Module then true
      else value.frozen? && value.instance_variables.empty? && !value.is_a?(Struct)
      end
    end

    # Whether a constant holds what it held when it was defined.
    def same?(owner, name)
      value, digest = DATA[[owner, name]]
      return false if digest.nil?

      owner.const_get(name, false).equal?(value) && Handed.digest_of(value) == digest
    end
  end

  # Methods of Ruby's and Puppet's own classes that a call may meet.
  module Known
    KINDS = [
      BasicObject, Object, Kernel, Comparable, Enumerable, Enumerator, Enumerator::Lazy, String, Symbol, Integer, Float, Rational,
      Complex, Numeric, Array, Hash, Set, SortedSet, NilClass, TrueClass, FalseClass, Range, Regexp, MatchData, Proc, Struct,
      Exception, NameError, KeyError, StopIteration, Time, Date, DateTime, Pathname, URI::Generic, URI::HTTP, URI::RFC2396_Parser,
      IPAddr, StringIO, StringScanner, Encoding, IO, File, Dir, File::Stat, OpenStruct, Random, Digest::Base, OpenSSL::Digest,
      OpenSSL::HMAC, OpenSSL::Cipher, Gem::Version, Gem::Requirement, Module, Class, ERB,
      Puppet::Parser::Scope, Puppet::Parser::TemplateWrapper, Puppet::Pops::Functions::Function, Puppet::Pops::Lookup::Context,
      Puppet::Module, Puppet::Node, Puppet::Node::Environment, Puppet::Resource, Puppet::Parser::Catalog, Puppet::Parser::Compiler,
      Puppet::Settings, Puppet::Pops::Types::PSensitiveType::Sensitive, Puppet::Pops::Types::PBinaryType::Binary,
      SemanticPuppet::Version, SemanticPuppet::VersionRange, Puppet::Parser::KnownResourceTypes, Facter::Fact
    ].freeze
    # Of these what they do themselves, as in `File.read`.
    SPEAKERS = [
      String, Array, Hash, Integer, Float, Regexp, Time, Date, DateTime, File, Dir, FileTest, IO, Math, JSON, YAML, Psych, URI, CGI,
      Base64, Digest::MD5, Digest::SHA1, Digest::SHA256, Digest::SHA384, Digest::SHA512, OpenSSL::Digest, OpenSSL::HMAC, IPAddr,
      Pathname, Set, Struct, Random, SecureRandom, Shellwords, Gem::Version, Gem, Kernel, ERB::Util, Encoding, Proc, Timeout,
      Puppet, Puppet::FileSystem, Puppet::Util, Puppet::Util::Json, Puppet::Util::Yaml, Puppet::Util::Package, Puppet::Util::Puppetdb,
      Puppet::Module,
      Puppet::Parser::Files, Puppet::Parser::Functions, Puppet::Parser::Scope, Puppet::Pops::Lookup::HieraConfig, Facter,
      Puppet::Pops::Types::TypeFactory, Puppet::Pops::Types::TypeParser, Puppet::Pops::Types::TypeCalculator, SemanticPuppet::Version,
      SemanticPuppet::VersionRange, Puppet::Util::Errors, Puppet::Util::Checksums, Exception, Comparable,
      Puppet::Pops::Types::PBinaryType::Binary, Puppet::Pops::Types::PSensitiveType::Sensitive, Puppet::Pops::Functions::Function
    ].freeze
    METHODS = (
      KINDS.flat_map { |kind| kind.instance_methods + kind.private_instance_methods } +
      SPEAKERS.flat_map { |kind| kind.singleton_methods + kind.private_methods }
    ).to_h { |name| [name, true] }.freeze
  end

  # What the host asks of code to know whether its calls may be remembered.
  module Verdict
    module_function

    # The instructions of a file or of a template as JSON; nil if the text is no code.
    def instructions_of(text, template)
      verbose, $VERBOSE = $VERBOSE, nil
      code = template ? Puppet::Util.create_erb(text).src : text
      JSON.generate(plain(RubyVM::InstructionSequence.compile(code, 'code', 'code', 1).to_a), max_nesting: 0)
    rescue SyntaxError, StandardError
      nil
    ensure
      $VERBOSE = verbose
    end

    # An operand as JSON data. Of a hash, only what names a call; of texts, only the one at the head of instructions.
    def plain(operand)
      case operand
      when Array then operand.map { |each| plain(each) }
      when Hash then operand.slice(:mid, :flag).transform_values { |each| plain(each) }
      when Symbol, Integer, true, false, 'YARVInstructionSequence/SimpleDataFormat' then operand
      end
    end

    # Of constants that code names: the files of modules where they are defined, what is named of Ruby, and values.
    def constants(named)
      files, heads, data, changed = {}, {}, {}, {}
      named.each do |nesting, path, called|
        resolve(nesting, path).each do |owner, name|
          file = owner.const_source_location(name)&.first
          value = owner.const_get(name)
          if Changes.of_modules?(file)
            files[file] = true
            next if value.is_a?(Module)

            (Changes.same?(owner, name) ? data : changed)["#{owner}::#{name}"] = true
            WATCHED[[owner, name]] = true
          elsif called && owner.equal?(Object) && !(value.is_a?(Class) && value <= Exception)
            heads[name.to_s] = true
          end
        end
      end
      [files.keys, heads.keys, data.keys, changed.keys]
    end

    # The constants that a path of names may mean, each with the module that has it; none where nobody has it yet.
    def resolve(nesting, path)
      names = path.map(&:to_sym)
      homes = names[0] == :'' ? [] : nesting.size.downto(1).filter_map { |size| module_at(nesting.first(size).flatten) }
      names.shift if names[0] == :''
      home = homes.find { |each| each.const_defined?(names[0]) } || Object
      names.each_with_object([]) do |name, found|
        break found unless home.is_a?(Module) && home.const_defined?(name)

        owner = owner_of(home, name)
        found << [owner, name]
        home = owner.const_get(name)
      end
    end

    def owner_of(home, name)
      [*home.ancestors, Object].find { |each| each.const_defined?(name, false) } || home
    end

    def module_at(names)
      names.map(&:to_sym).reduce(Object) { |home, name| home.is_a?(Module) && home.const_defined?(name) ? home.const_get(name) : (return nil) }
    end

    WATCHED = {}

    # The watched constants that hold something else by now.
    def moved
      return if WATCHED.empty?

      WATCHED.each_key.reject { |owner, name| Changes.same?(owner, name) }.each do |key|
        WATCHED.delete(key)
        Notes.add('moved', "#{key[0]}::#{key[1]}")
      end
    end
  end
end
