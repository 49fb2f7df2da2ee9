# Termini that others begin from.
module Puppet
  module Indirector
    class Code < Terminus; end

    class None < Terminus
      def find(_request) = nil
    end

    class Plain < Terminus
      def find(request) = indirection.model.new(request.key)
    end

    class Memory < Terminus
      def initialize = @instances = {}
      def find(request) = @instances[request.key]
      def search(_request) = @instances.values
      def save(request) = @instances[request.key] = request.instance
      def destroy(request) = @instances.delete(request.key) || raise(ArgumentError, "Could not find #{request.key} to destroy")
      def head(request) = !find(request).nil?
    end

    # Models as files of one format, a file each.
    module ModelFiles
      def find(request) = loaded(path(request.key), request.key)
      def search(request) = Dir.glob(path(request.key)).sort.filter_map { |file| loaded(file, request.key) }

      def save(request)
        file = path(request.key)
        FileUtils.mkdir_p(File.dirname(file))
        FileSystem.replace_file(file, 0o660) { |out| out.print(request.instance.render(self.class::FORMAT)) }
      end

      def destroy(request)
        File.unlink(path(request.key))
      rescue Errno::ENOENT
        1
      end

      def path(name, extension = ".#{self.class::FORMAT}")
        if name.match?(BadNameRegexp)
          Puppet.crit("directory traversal detected in #{self.class}: #{name.inspect}")
          raise ArgumentError, 'invalid key'
        end
        File.join(base, self.class.indirection_name.to_s, "#{name}#{extension}")
      end

      private

      def loaded(file, key)
        text = File.read(file)
        model.convert_from(self.class::FORMAT, text)
      rescue Errno::ENOENT
        nil
      rescue StandardError => error
        raise Puppet::Error, "Could not parse #{self.class::FORMAT.upcase} data for #{indirection.name} #{key}: #{error.message}"
      end
    end

    class JSON < Terminus
      include ModelFiles
      FORMAT = 'json'
      def base = Puppet[Puppet.run_mode.server? ? :server_datadir : :client_datadir]
    end

    class Yaml < Terminus
      include ModelFiles
      FORMAT = 'yaml'
      def base = Puppet[Puppet.run_mode.server? ? :yamldir : :clientyamldir]
    end

    # A program that prints the model.
    class Exec < Terminus
      def find(request)
        words = command
        raise Puppet::DevError, 'Exec commands must be an array' unless words.is_a?(Array)
        raise ArgumentError, 'You must set the exec parameter to a fully qualified command' unless Util.absolute_path?(words[0])

        output = execute(words + [request.key], failonfail: true, combine: false)
        output.to_s.match?(/\A\s*\Z/) ? nil : output.to_s
      rescue Puppet::ExecutionFailure => error
        raise Puppet::Error, "Failed to find #{request.key} via exec: #{error.message}"
      end

      private

      def execute(...) = Util::Execution.execute(...)
    end
  end

  class Node
    # An empty node, with its facts.
    class Plain < Indirector::Plain
      def find(request)
        node = super
        node.environment = request.environment
        node.fact_merge(request.options[:facts])
        node
      end
    end

    # What the program of external_nodes prints.
    class Exec < Indirector::Exec
      def command
        program = Puppet[:external_nodes]
        raise ArgumentError, "You must set the 'external_nodes' parameter to use the external node terminus" if [nil, '', 'none'].include?(program)

        program.split
      end

      def find(request)
        output = super or return nil
        create_node(request.key, translate(request.key, output), request.options[:facts])
      end

      private

      def create_node(name, result, facts = nil)
        node = Node.new(name)
        %i[parameters classes environment].each { |each| node.public_send("#{each}=", result[each]) if result[each] }
        node.fact_merge(facts)
        node
      end

      def translate(name, output)
        Util::Yaml.safe_load(output, [Symbol]).transform_keys(&:to_sym)
      rescue StandardError => error
        raise Puppet::Error, "Could not load external node results for #{name}: #{error.message}"
      end
    end
  end

  Node.extend(Indirector).indirects(:node, terminus_setting: :node_terminus)
  Node::Facts.extend(Indirector).indirects(:facts, terminus_setting: :facts_terminus)
  Transaction::Report.extend(Indirector).indirects(:report)
end
