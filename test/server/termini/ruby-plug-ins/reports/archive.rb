# Shaped as the processors that keep reports: files of all forms that a report has, and links to the last.
require 'puppet'
require 'fileutils'
require 'digest'

Puppet::Reports.register_report(:archive) do
  def process
    folder = File.join(Puppet[:vardir], 'archive', host)
    FileUtils.mkdir_p(folder, mode: 0o750)
    write(folder, 'report.yaml', to_yaml)
    write(folder, 'report.json', JSON.pretty_generate(to_data_hash))
    write(folder, 'compact.json', to_json)
    write(folder, 'rendered.json', render('json'))
    write(folder, 'summary', summary)
    write(folder, 'raw_summary', raw_summary.to_yaml)
    write(folder, 'attributes', [
      host, name, time.class, time.utc.iso8601(9), status, environment, configuration_version, puppet_version, report_format, transaction_uuid,
      catalog_uuid, code_id, job_id, cached_catalog_status, noop, noop_pending, corrective_change, transaction_completed, self.class,
      is_a?(Puppet::Transaction::Report), report_name, logs.map { |log| [log.level, log.to_s, log.source, log.tags.to_a, log.file, log.line] },
      logs.first.to_hash, logs.first.class, metrics.keys, metrics.values.map { |each| [each.name, each.label, each.values] }
    ].map(&:inspect).join("\n"))
    FileUtils.ln_sf(File.join(folder, 'report.yaml'), File.join(folder, 'latest'))
    `printf '%s' "$HOME" > #{folder}/shell; ls #{folder}`.split.each { |file| Puppet.notice "#{file} is there" }
    system('false')
    Puppet.warning "false ended with #{$?.exitstatus}"
  rescue Errno::EACCES => e
    Puppet.err "Could not write: #{e}"
  end

  def write(folder, file, text)
    path = File.join(folder, file)
    Puppet::Util.replace_file(path, 0o640) { |out| out.print text }
  end
end
