require 'json'

module Puppet::Transport
  # A rack whose slots are written in a file.
  class Rack
    attr_reader :path

    def initialize(context, connection_info)
      context.debug("opened with #{connection_info[:token]}")
      raise 'the key does not fit' unless connection_info[:token].unwrap == 'sesame'

      @path = connection_info[:path]
      @room = connection_info[:room]
    end

    def facts(_context) = { 'rack' => { 'slots' => slots.size, 'room' => @room, kind: :iron }, 'operatingsystem' => 'rack' }
    def slots = JSON.parse(File.read(path))
    def slots=(all)
      File.write(path, JSON.generate(all))
    end

    def verify(_context) = true
    def close(_context) = nil
  end
end
