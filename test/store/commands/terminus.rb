# Payloads as puppet-terminus-puppetdb makes them: a JSON list of requests in, a line of JSON for each out, { error } for
# those that it refuses. A request has `kind` (catalog, manifest, facts, report) and `options`.
#   ruby terminus.rb MODULEPATH IN OUT
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/indirector/catalog/puppetdb'
require 'puppet/indirector/facts/puppetdb'
require 'puppet/reports/puppetdb'

modulepath, input, output = ARGV
# Types of one module load files of another.
$LOAD_PATH.concat(modulepath.split(':').flat_map { |path| Dir.glob(File.join(path, '*', 'lib')).sort })

def environment_of(modulepath)
  Puppet::Node::Environment.create(:production, modulepath.split(':'))
end

def within(environment, &block)
  environments = Puppet::Environments::Static.new(environment)
  Puppet.override(current_environment: environment, environments: environments, rich_data: true, &block)
end

def munged(catalog, options)
  extra = { transaction_uuid: options['transactionUuid'], job_id: options['jobId'], environment: 'production' }
  time = Time.iso8601(options['producerTimestamp']).utc
  Puppet::Resource::Catalog::Puppetdb.allocate.munge_catalog(catalog, time, extra).first
end

# A catalog as an agent gets it. It says nothing of what is exported and not collected: `virtual` names that.
def catalog(request, environment)
  within(environment) do
    catalog = Puppet::Resource::Catalog.from_data_hash(request['catalog'])
    catalog.environment_instance = environment
    request['virtual'].each { |type, title| catalog.resource(type, title).virtual = true }
    munged(catalog, request['options'])
  end
end

# Code, which Puppet compiles.
def manifest(request, modulepath)
  File.write(path = File.join(Dir.mktmpdir, 'site.pp'), request['code'])
  environment = Puppet::Node::Environment.create(:production, modulepath.split(':'), path)
  within(environment) do
    node = Puppet::Node.new(request['name'], environment: environment)
    node.merge({})
    munged(Puppet::Parser::Compiler.compile(node), request['options'])
  end
end

def facts(request)
  payload = nil
  terminus = Puppet::Node::Facts::Puppetdb.allocate
  terminus.define_singleton_method(:submit_command) { |*, &block| payload = block.call }
  terminus.define_singleton_method(:get_trusted_info) { |_| request['options']['trusted'] }
  facts = Puppet::Node::Facts.new(request['name'], request['values'])
  terminus.save(Puppet::Indirector::Request.new(:facts, :save, request['name'], facts, environment: 'production'))
  payload.merge('producer_timestamp' => request['options']['producerTimestamp'])
end

def report(request)
  report = Puppet::Transaction::Report.from_data_hash(request['report'])
  report.extend(Puppet::Reports.report(:puppetdb))
  Puppet::Util::Puppetdb.config.instance_variable_get(:@config)[:include_unchanged_resources] = request['options']['includeUnchanged']
  report.report_to_hash(Time.iso8601(request['options']['producerTimestamp']).utc)
end

Dir.mktmpdir do |folder|
  Puppet.initialize_settings(["--confdir=#{folder}", "--vardir=#{folder}"])
  Puppet::Util::Log.level = :crit
  environment = environment_of(modulepath)
  File.open(output, 'w') do |out|
    JSON.parse(File.read(input)).each do |request|
      Puppet[:node_name_value] = request['options']['producer']
      answer = begin
        case request['kind']
        when 'catalog' then catalog(request, environment)
        when 'manifest' then manifest(request, modulepath)
        when 'facts' then facts(request)
        when 'report' then report(request)
        end
      rescue Puppet::Error => e
        { 'error' => e.message }
      end
      out.puts(answer.to_json)
    end
  end
end
