# Content and metadata of files: of this machine (`file`), or of the server's modules and mounts (`rest`).
module Puppet
  module FileServing
    # The key is a path, a file: URL, or a puppet: URL.
    module Keys
      def self.local(key) = key.start_with?('/') ? key : (URI(key).path if key.start_with?('file:'))

      # The path on the server: `modules/ntp/ntp.conf`.
      def self.remote(key) = key.start_with?('puppet:') ? URI(key).path.delete_prefix('/') : key
    end

    Content = Class.new unless const_defined?(:Content)
    Metadata = Class.new unless const_defined?(:Metadata)

    class Content
      extend Indirector
      indirects :file_content, terminus_class: nil
      attr_accessor :path, :content
      attr_reader :name

      def self.supported_formats = %i[binary]
      def self.accepted = 'application/octet-stream'
      def self.convert_from(_format, text) = new('').tap { |made| made.content = text }

      def initialize(path)
        @path = @name = path
      end

      def full_path = path
      def content = @content ||= ::File.binread(path)
      def to_binary = content
    end

    class Metadata
      extend Indirector
      indirects :file_metadata, terminus_class: nil
      FIELDS = %w[path relative_path links owner group mode checksum type destination content_uri].freeze
      attr_accessor(*FIELDS, :source)

      def self.from_data_hash(data) = new(data['path']).tap { |made| FIELDS.each { |name| made.public_send("#{name}=", data[name]) } }
      def initialize(path) = @path = path
      def name = path
      def full_path = [path, relative_path].compact.reject(&:empty?).join('/')
      def ftype = type
      def checksum_type = checksum && checksum['type']
      def to_data_hash = FIELDS.to_h { |name| [name, public_send(name)] }

      # Reads the metadata of a file of this machine.
      def collect
        stat = ::File.lstat(path)
        @type, @owner, @group, @mode, @links = stat.ftype, stat.uid, stat.gid, stat.mode & 0o7777, 'manage'
        @checksum = { 'type' => 'sha256', 'value' => "{sha256}#{Digest::SHA256.file(path).hexdigest}" } if stat.file?
        @destination = ::File.readlink(path) if stat.symlink?
        self
      end
    end
  end

  module Indirector
    # The local file, the file of the server, or either of them by the key.
    module FileTermini
      KEYS = FileServing::Keys

      def self.remote(terminus, request, path, params)
        terminus.instance_exec do
          finding(request) { session.route_to(:fileserver).get_model("/#{path}/#{KEYS.remote(request.key)}", model, params: params).last }
        end
      end

      %i[find head search].each do |operation|
        define_method(operation) { |request| indirection.terminus(KEYS.local(request.key) ? :file : :rest).public_send(operation, request) }
      end
    end

    module FileContent
      class File < Code
        def find(request) = FileTermini::KEYS.local(request.key).then { |path| model.new(path) if path && ::File.file?(path) }
        def head(request) = !find(request).nil?
      end

      class Rest < REST
        def find(request) = FileTermini.remote(self, request, 'file_content', environment: request.environment.to_s)
      end

      class Selector < Code
        include FileTermini
      end
    end

    module FileMetadata
      class File < Code
        def find(request) = FileTermini::KEYS.local(request.key).then { |path| model.new(path).collect if path && ::File.exist?(path) }
        def head(request) = !find(request).nil?
      end

      class Rest < REST
        def find(request)
          params = { environment: request.environment.to_s, links: request.options[:links] || 'manage', source_permissions: 'ignore' }
          FileTermini.remote(self, request, 'file_metadata', params)
        end
      end

      class Selector < Code
        include FileTermini
      end
    end
  end

  [FileServing::Content, FileServing::Metadata].each { |model| model.indirection.terminus_class = :selector }
end
