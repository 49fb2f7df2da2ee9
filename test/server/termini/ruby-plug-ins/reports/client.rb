# Shaped as the processors that ship with Puppet: its own client, with a password and an answer that says no.
require 'puppet'
require 'puppet/network/http_pool'
require 'uri'

Puppet::Reports.register_report(:client) do
  desc 'Sends reports by the client of Puppet.'

  def process
    base = File.read(File.join(Puppet[:confdir], 'address')).strip
    client = Puppet.runtime[:http]
    response = client.post(URI.parse("#{base}/upload"), "#{host} #{status}", headers: { 'Content-Type' => 'text/plain' },
                                                                          options: { basic_auth: { user: 'u', password: 'p' } })
    Puppet.notice "#{response.code} #{response.reason} #{response.body.strip} #{response.success?}"
    response = client.get(URI.parse("#{base}/no"), params: { 'a' => 'b c' })
    Puppet.err "Unable to submit report to #{base} [#{response.code}] #{response.reason}" unless response.success?
    begin
      client.post(URI.parse('http://127.0.0.1:1/'), '', headers: { 'Content-Type' => 'text/plain' })
    rescue StandardError => e
      Puppet.err "#{e.class.ancestors.include?(Puppet::Error)} refused"
    end
  end
end
