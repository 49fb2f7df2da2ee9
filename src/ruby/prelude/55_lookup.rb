# What a data function of Hiera's gets: Puppet::LookupContext. Puppet: pops/lookup/context.rb.
module Puppet
  module Pops
    module Lookup
      class Context
        # What functions keep for one catalog, by the place in the hierarchy.
        CACHES = {}
        # What functions made of files, for all catalogs and for one.
        FILES = {}
        OTHER_FILES = {}

        attr_reader :id, :environment_name, :module_name

        def initialize(id, owner, environment_name, module_name)
          @id = id
          @cache = CACHES[owner] ||= {}
          @environment_name = environment_name.to_sym
          @module_name = module_name
        end

        def cache(key, value) = @cache[key] = value
        def cache_has_key(key) = @cache.include?(key)
        def cached_value(key) = @cache[key]
        def not_found = raise(Plumb::NotFound, @id.to_s, [])

        def cache_all(hash)
          @cache.merge!(hash)
          nil
        end

        def cached_entries(&block)
          return @cache.each_pair unless block

          entries = @cache.to_a
          entries.each { |entry| block.arity == 2 ? yield(*entry) : yield(entry) }
          nil
        end

        # Files that a machine sees never change; of others the host knows.
        def cached_file_data(path)
          known = File.file?(path) ? FILES : OTHER_FILES
          return known[path] if known.key?(path)

          content = known.equal?(FILES) ? File.read(path, encoding: 'utf-8') : ask('cached_file_data', [path])
          known[path] = block_given? ? yield(content) : content
        end

        def explain(&block)
          ask('explain', [], block)
          nil
        end

        # Only texts with an interpolation cross to the host.
        def interpolate(value)
          case value
          when String then value.include?('%{') ? ask('interpolate', [value]) : value
          when Array then value.map { |each| interpolate(each) }
          when Hash then value.to_h { |key, each| [interpolate(key), interpolate(each)] }
          else value
          end
        end

        def self.forget
          CACHES.clear
          OTHER_FILES.clear
        end

        private

        def ask(name, arguments = [], block = nil) = Plumb::Bridge.ask('method', @id, name, arguments, block)
      end

      module HieraConfig
        def self.symkeys_to_string(value)
          case value
          when Hash then value.to_h { |key, each| [key.is_a?(Symbol) ? key.to_s : key, symkeys_to_string(each)] }
          when Array then value.map { |each| symkeys_to_string(each) }
          else value
          end
        end
      end
    end
  end
end
