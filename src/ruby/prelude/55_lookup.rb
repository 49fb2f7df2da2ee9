# What a data function of Hiera's gets: Puppet::LookupContext. Puppet: pops/lookup/context.rb.
module Puppet
  module Pops
    module Lookup
      class Context
        # What functions keep for one catalog, by the place in the hierarchy.
        CACHES = {}
        # What functions made of files, for all catalogs and for one; by the path, and the place of the block that made it.
        FILES = {}
        OTHER_FILES = {}
        # `quiet`: made of nothing but the file; `digest`: of the value as it was made.
        Made = Struct.new(:value, :quiet, :digest)

        attr_reader :id, :environment_name, :module_name

        def initialize(id, owner, environment_name, module_name, explains)
          @id = id
          @owner = owner
          @cache = CACHES[owner] ||= {}
          @environment_name = environment_name.to_sym
          @module_name = module_name
          @explains = explains
        end

        def cache(key, value)
          keep(key, value)
          @cache[key] = value
        end

        def cache_has_key(key)
          Plumb::Notes.add('cached', @owner, key)
          @cache.include?(key)
        end

        def cached_value(key)
          value = @cache[key]
          Plumb::Notes.add('cached', @owner, key)
          hand_out(value)
        end

        def not_found = raise(Plumb::NotFound, @id.to_s, [])

        def cache_all(hash)
          hash.each { |key, value| keep(key, value) }
          @cache.merge!(hash)
          nil
        end

        def cached_entries(&block)
          Plumb::Notes.add('cache_lost', @owner)
          return @cache.each_pair unless block

          entries = @cache.to_a
          entries.each { |entry| block.arity == 2 ? yield(*entry) : yield(entry) }
          nil
        end

        # Files that a machine sees never change; of others the host knows.
        def cached_file_data(path, &block)
          is_seen = File.file?(path)
          known = is_seen ? FILES : OTHER_FILES
          made = known[[path, block&.source_location]] ||= made_of(path, is_seen, block)
          Plumb::Notes.spoil('file data that is more than a file') unless made.quiet
          Plumb::Handed.out(made.value, made.digest) { made.quiet = false }
          made.value
        end

        def explain(&block)
          ask('explain', [], block) if @explains
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

        # Files that are others from now on.
        def self.forget_files(paths)
          FILES.delete_if { |(path, _), _| paths.include?(path) }
        end

        # What calls kept that the host recalled.
        def self.restore(owner, entries)
          cache = CACHES[owner] ||= {}
          entries.each { |key, value| cache[key] = value }
        end

        private

        def keep(key, value)
          Plumb::Notes.add('cache', @owner, key, value)
          hand_out(value)
        end

        def hand_out(value)
          Plumb::Handed.out(value) { Plumb::Notes.add('cache_lost', @owner) }
          value
        end

        def made_of(path, is_seen, block)
          content = is_seen ? File.read(path, encoding: 'utf-8') : ask('cached_file_data', [path])
          return made(content, is_seen) unless block

          Plumb::Bridge.ask('quiet', true)
          notes = Plumb::Notes::LIST.size
          value = block.call(content)
          quiet = Plumb::Bridge.ask('quiet', false) && notes == Plumb::Notes::LIST.size
          made(value, is_seen && quiet && Plumb::Handed.closed?(block, path))
        end

        def made(value, quiet) = Made.new(value, quiet, Plumb::Handed.digest_of(value))

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
