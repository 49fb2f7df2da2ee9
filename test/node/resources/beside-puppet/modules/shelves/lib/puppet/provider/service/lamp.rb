# Services that are files: there while they run, with a second one while they are enabled.
Puppet::Type.type(:service).provide(:lamp, parent: :service) do
  has_feature :enableable

  def path(what) = File.expand_path("../f/#{resource[:name]}.#{what}", Puppet[:vardir])
  def status = File.exist?(path('on')) ? :running : :stopped
  def enabled? = File.exist?(path('wired')) ? :true : :false
  def enable = File.write(path('wired'), '')
  def disable = File.unlink(path('wired'))
  def startcmd = ['touch', path('on')]
  def start = service_command(:start)
  def stop = service_execute(:stop, ['rm', path('on')])
end
