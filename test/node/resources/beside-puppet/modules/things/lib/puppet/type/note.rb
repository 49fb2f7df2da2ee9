# A file with a text, by the plainest means that a type has.
Puppet::Type.newtype(:note) do
  @doc = 'A note.'
  ensurable

  feature :shouting, 'It can be loud.'
  feature :whispering, 'It can be quiet.', methods: [:whisper]

  newparam(:path, namevar: true) do
    validate { |value| raise ArgumentError, "#{value} is no absolute path" unless value.start_with?('/') }
  end

  newparam(:ending) do
    newvalues(:dot, :none, /^x+$/)
    aliasvalue(:period, :dot)
    defaultto :none
  end

  newparam(:weight) do
    munge { |value| Integer(value) }
  end

  newparam(:loud, required_features: :shouting)
  newparam(:quiet, required_features: :whispering)

  newproperty(:text) do
    desc 'The text.'
    munge { |value| @resource[:ending] == :dot ? "#{value}." : value }
  end

  newproperty(:words, array_matching: :all) do
    def insync?(is) = is.sort == should.sort
    def is_to_s(value) = value.join(' ')
    alias_method :should_to_s, :is_to_s
  end

  newproperty(:state) do
    newvalue(:open, event: :note_opened) { provider.state = :open }
    newvalue(:closed) { provider.state = :closed }
  end

  validate do
    raise Puppet::Error, 'text and words do not go together' if self[:text] && self[:words]
  end

  autorequire(:file) { File.dirname(self[:path]) }
  autobefore(:notify) { ['after the notes'] }

  def refresh
    provider.touch
  end
end
