require 'json'

# A cloud's name service as its library shows it: zones that have records, kept in a file here.
module Fog
  module DNS
    Zone = Struct.new(:service, :domain, :email) do
      def records = service.data.fetch(domain).fetch('records').map { |name, record| Record.new(self, name, *record.values_at('type', 'value', 'ttl')) }

      def save
        service.change { |data| data[domain] = { 'records' => {} }.merge(data[domain] || {}, 'email' => email) }
      end

      def destroy
        service.change { |data| data.delete(domain) }
      end
    end

    Record = Struct.new(:zone, :name, :type, :value, :ttl) do
      def save
        zone.service.change { |data| data.fetch(zone.domain)['records'][name] = { 'type' => type, 'value' => value, 'ttl' => ttl } }
      end

      def destroy
        zone.service.change { |data| data.fetch(zone.domain)['records'].delete(name) }
      end
    end

    class Service
      def initialize(path)
        @path = path
      end

      def data = File.exist?(@path) ? JSON.parse(File.read(@path)) : {}
      def zones = data.map { |domain, zone| Zone.new(self, domain, zone['email']) }
      def zone(domain) = zones.find { |each| each.domain == domain }

      def change
        all = data
        yield all
        File.write(@path, "#{JSON.pretty_generate(all)}\n")
      end
    end

    def self.new(path:) = Service.new(path)
  end
end
