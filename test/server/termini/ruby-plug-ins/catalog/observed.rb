require 'puppet/resource/catalog'
require 'puppet/indirector/json'

# Writes down what the calls of a catalog answer.
class Puppet::Resource::Catalog::Observed < Puppet::Indirector::JSON
  desc 'What the calls of a catalog answer.'

  def save(request)
    catalog = request.instance
    file = catalog.resource('File', '/etc/app.conf')
    seen = {
      'head' => [request.key, request.environment.to_s, catalog.name, catalog.code_id, catalog.catalog_format, catalog.environment.to_s,
                 catalog.classes, catalog.tags.to_a, catalog.version.class.name, catalog.catalog_uuid.class.name],
      'refs' => catalog.resources.map(&:ref), 'keys' => catalog.resource_keys, 'vertices' => catalog.vertices.size,
      'edges' => catalog.edges.map { |edge| [edge.source.ref, edge.target.ref, edge.to_s] },
      'found' => [catalog.resource('File[/etc/app.conf]').equal?(file), catalog.resource('Class', 'app').ref, catalog.resource('Notify', 'no')],
      'file' => [file.type, file.title, file[:content], file['mode'], file.to_hash.keys, file.tags.to_a, file.tagged?('app'), file.file,
                 file.line, file.exported ? true : false, file.virtual ? true : false, file.sensitive_parameters, file.name, file.to_s,
                 file.send(:namevar), file.key_attributes],
      'package' => catalog.resource('Package', 'nginx').then { |each| [each.key_attributes, each.to_hash] },
      'user' => [catalog.resource('User', 'u')[:name], catalog.resource('User', 'u').to_hash],
      'contained' => catalog.adjacent(catalog.resource('Class', 'app')).map(&:ref),
      'container' => catalog.container_of(file).ref,
      'data' => file.to_data_hash, 'json' => JSON.parse(file.to_json),
      'whole' => catalog.to_data_hash
    }
    catalog.remove_resource(file)
    added = Puppet::Resource.new('notify', 'added', parameters: { message: 'm' })
    added.tag('ours')
    added.kind = 'compilable_type'
    catalog.add_resource(added)
    catalog.add_edge(catalog.resource('Class', 'app'), added)
    without = catalog.filter { |each| each.type == 'Stage' }
    again =
      begin
        catalog.add_resource(Puppet::Resource.new('notify', 'added'))
      rescue Puppet::Resource::Catalog::DuplicateResourceError => error
        error.class.name
      end
    seen['changed'] = [catalog.resources.map(&:ref), catalog.edges.map(&:to_s), catalog.to_data_hash['resources'].last, again,
                       without.resources.map(&:ref), without.edges.map(&:to_s)]
    File.write(File.join(Puppet[:vardir], 'seen.json'), JSON.generate(seen))
    super
  end
end
