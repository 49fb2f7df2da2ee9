# The core fact `ruby` describes the Ruby that runs modules.
module Plumb
  module RubyFact
    OWN = { 'platform' => RUBY_PLATFORM, 'version' => RUBY_VERSION }.freeze

    def begin(core, **options)
      super(core.merge('ruby' => (core['ruby'] || {}).merge(OWN)), **options)
      Facter.add(:ruby, value: core['ruby'])
    end
  end
  Facts.singleton_class.prepend(RubyFact)
end
