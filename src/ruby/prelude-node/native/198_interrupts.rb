# Exceptions from other threads, such as those of Timeout, and the end of a thread arrive in the code of a module, never within
# an exchange with the host.
module Plumb
  module Interrupts
    def ask_at_once(message) = Channel.exclusively { super }

    private

    def leave(message) = Thread.handle_interrupt(Object => :never) { super }
    def run(message) = Thread.handle_interrupt(Object => :immediate) { super }
  end
  Bridge.singleton_class.prepend(Interrupts)
end
