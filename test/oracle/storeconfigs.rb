# Storeconfigs as with PuppetDB: its own terminus stores catalogs and searches them, and what answers here in the place
# of its HTTP API keeps them in memory. With PUPPETDB_URL in the environment a real one answers: the same is expected.
require 'cgi'
require 'puppet/util/puppetdb'
require 'puppet/util/puppetdb/http'
require 'puppet/indirector/resource/puppetdb'
require 'puppet/indirector/catalog/puppetdb'

# The last catalog of each node.
class CatalogStore
  def initialize
    @catalogs = {}
  end

  def submit(command)
    @catalogs[command.certname] = JSON.parse(command.payload)['resources'] if command.command == 'replace_catalog'
  end

  def forget
    @catalogs.clear
  end

  # The resources that a query finds: by the names of their nodes, then as they are in the catalog.
  def resources(query)
    all = @catalogs.sort.flat_map { |name, resources| resources.map { |each| each.merge('certname' => name) } }
    JSON.generate(all.select { |each| matches?(query, each) })
  end

  private

  def matches?(query, resource)
    operator, *operands = query
    case operator
    when 'and' then operands.all? { |each| matches?(each, resource) }
    when 'or' then operands.any? { |each| matches?(each, resource) }
    when 'not' then !matches?(operands.first, resource)
    when '=' then equal?(*operands, resource)
    else raise "no operator #{operator}"
    end
  end

  def equal?(field, value, resource)
    case field
    when 'tag' then resource['tags'].include?(value)
    when Array then !value.nil? && resource['parameters'][field.last].eql?(value)
    else resource[field] == value
    end
  end
end

# A real PuppetDB.
class PuppetDB
  def initialize(url)
    @url = url
  end

  def submit(command)
    post(command.command, command.version, command.certname, command.payload)
  end

  def forget
    nodes = JSON.parse(Net::HTTP.get(URI("#{@url}/pdb/query/v4/nodes")))
    nodes.each do |node|
      body = { certname: node['certname'], producer_timestamp: Time.now.utc.iso8601(3) }
      post('deactivate_node', 3, node['certname'], JSON.generate(body))
    end
  end

  def resources(query)
    answer = Net::HTTP.get_response(URI("#{@url}/pdb/query/v4/resources?query=#{CGI.escape(query.to_json)}"))
    raise Puppet::Error, answer.body unless answer.is_a?(Net::HTTPSuccess)

    answer.body
  end

  private

  def post(command, version, certname, body)
    uri = URI("#{@url}/pdb/cmd/v1")
    uri.query = URI.encode_www_form('command' => command, 'version' => version, 'certname' => certname,
                                    'producer-timestamp' => Time.now.utc.iso8601(3), 'secondsToWaitForCompletion' => 30)
    answer = Net::HTTP.post(uri, body, 'Content-Type' => 'application/json; charset=utf-8')
    raise Puppet::Error, answer.body unless JSON.parse(answer.body)['processed']
  end
end

# Compiles as a server with storeconfigs does.
module StoreConfigs
  STORE = ENV.key?('PUPPETDB_URL') ? PuppetDB.new(ENV.fetch('PUPPETDB_URL')) : CatalogStore.new
  Answer = Struct.new(:body) do
    def success?
      true
    end
  end

  # Nothing is stored when it begins.
  def self.during
    STORE.forget
    Puppet[:storeconfigs] = true
    Puppet::Resource.indirection.terminus_class = :puppetdb
    yield
  ensure
    Puppet[:storeconfigs] = false
    Puppet::Resource.indirection.reset_terminus_class
  end

  def self.save(catalog)
    environment = catalog.environment_instance
    request = Puppet::Indirector::Request.new(:catalog, :save, catalog.name, catalog, environment: environment)
    Puppet::Resource::Catalog.indirection.terminus(:puppetdb).save(request)
    catalog
  end
end

module Puppet::Util::Puppetdb
  def log_x_deprecation_header(_response); end

  class Command
    def submit
      StoreConfigs::STORE.submit(self)
    end
  end

  class Http
    def self.action(path, _mode)
      query = JSON.parse(CGI.unescape(path[/query=(.*)/, 1]))
      StoreConfigs::Answer.new(StoreConfigs::STORE.resources(query))
    end
  end
end
