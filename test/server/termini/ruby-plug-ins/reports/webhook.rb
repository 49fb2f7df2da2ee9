# Shaped as the processors for Slack, Mattermost and Teams: JSON to an address of a file of settings.
require 'puppet'
require 'yaml'
require 'json'
require 'uri'
require 'net/http'

Puppet::Reports.register_report(:webhook) do
  desc 'Posts a message for reports of some statuses.'

  def process
    config = YAML.load_file(File.join(Puppet.settings[:confdir], 'webhook.yaml'))
    return unless config['statuses'].include?(status)

    failed = resource_statuses.values.compact.select(&:failed).map(&:resource)
    post(config, channel: config['channel'], username: 'puppet', icon_emoji: { 'failed' => ':bangbang:' }.fetch(status, ':zap:'),
                 text: "Puppet run for #{host} #{status} at #{time.utc.iso8601} in #{environment}: #{failed.join(', ')}",
                 attachments: logs.select { |log| %i[err warning].include?(log.level) }.map { |log| { title: log.source, text: log.message } })
  end

  def post(config, payload)
    uri = URI.parse(config['url'])
    http = Net::HTTP.new(uri.host, uri.port)
    http.use_ssl = uri.scheme == 'https'
    http.open_timeout = 5
    http.read_timeout = 5
    request = Net::HTTP::Post.new(uri.request_uri, 'Content-Type' => 'application/json', 'X-Token' => 'hush')
    request.body = JSON.generate(payload)
    response = http.request(request)
    Puppet.info "#{report_name} said #{response.code} #{response.body.strip} #{response['X-Answer']}"
    Puppet.err "no luck: #{response.message}" unless response.is_a?(Net::HTTPSuccess)
  end
end
