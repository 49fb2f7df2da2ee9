# Processes around an installed Ruby: the host, whose end ends this process, and forked ones, which have no access to the host.
module Plumb
  # A forked process would keep the pipes open. It logs to its standard error.
  module ForkedProcesses
    def _fork
      super.tap { |pid| HOST_PIPES.each(&:close) if pid.zero? }
    end
  end
  Process.singleton_class.prepend(ForkedProcesses)

  module LinesOfForkedProcesses
    def tell
      return super unless Channel.forked?

      Lines::WAITING.each { |_, message, _| warn(message) }
      Lines::WAITING.clear
    end
  end
  Lines.singleton_class.prepend(LinesOfForkedProcesses)

  # A killed host cannot end a running call. Its programs end, too.
  HOST_WATCH = Thread.new do
    sleep 0.5 while Process.ppid == HOST_PROCESS
    Process.kill(:KILL, 0)
  end
end
