# Shaped as the processors for Datadog, Graphite and InfluxDB: numbers of metrics, and events of resources.
require 'puppet'

module GaugesSupport
  PREFIX = 'puppet'.freeze
end

Puppet::Reports.register_report(:gauges) do
  desc <<-DESC
  Sends metrics.
  DESC

  def line(name, value) = "#{GaugesSupport::PREFIX}.#{host.tr('.', '_')}.#{name} #{value} #{time.to_i}\n"

  def process
    Puppet.debug { "Sending metrics for #{host}" }
    lines = self.metrics.sort.flat_map do |category, data|
      data.values.map { |name, label, value| line("#{category}.#{name}", "#{value}|#{label}") unless value.nil? }
    end
    lines << line('failed', metrics['resources']['failed'])
    lines << line('unknown', metrics['time']['nothing']) << "#{exit_status}\n"
    resource_statuses.sort.each do |name, resource|
      lines << [name, resource.title, resource.resource_type, resource.failed?, resource.changed, resource.skipped?, resource.out_of_sync_count,
                resource.evaluation_time.class, resource.containment_path, resource.tags.to_a.sort, resource.tagged?('Noted'),
                resource.file, resource.line].inspect << "\n"
      resource.events.each do |event|
        lines << [event.name, event.property, event.previous_value, event.desired_value, event.status, event.to_s, event.time.utc.to_f,
                  event.audited, event.corrective_change].inspect << "\n"
      end
    end
    File.open(File.join(Puppet[:vardir], 'gauges'), 'w', 0o600) { |file| lines.compact.each { |each| file << each } }
  end
end
