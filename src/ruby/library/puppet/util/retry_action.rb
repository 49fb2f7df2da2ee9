# Attempts of an action, with pauses between them that double.
module Puppet::Util::RetryAction
  class RetryException < Exception
    class NoBlockGiven < self; end
    class NoRetriesGiven < self; end
    class RetriesExceeded < self; end
  end

  def self.retry_action(options = {})
    raise RetryException::NoBlockGiven unless block_given?

    retries = options[:retries]
    raise RetryException::NoRetriesGiven if retries.nil?

    failures = 0
    begin
      yield
    rescue *(options[:retry_exceptions] || [StandardError]) => error
      raise RetryException::RetriesExceeded, "#{retries} exceeded", error.backtrace if failures >= retries

      Puppet.info("Caught exception #{error.class}:#{error} retrying")
      failures += 1
      sleep(((2**failures) - 1) * 0.1)
      retry
    end
  end
end
