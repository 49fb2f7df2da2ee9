module PlumbSpec
  # Ends the process if the spec files do not load in time.
  module LoadWatch
    EXIT_STATUS = 98

    THREAD = Thread.new do
      sleep PlumbSpec.config['timeout']
      exit!(EXIT_STATUS)
    end

    def self.stop = THREAD.kill
  end
end
