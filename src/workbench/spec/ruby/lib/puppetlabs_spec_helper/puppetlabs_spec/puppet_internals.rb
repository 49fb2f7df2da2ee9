module PuppetlabsSpec
  # Objects of a compilation, for old suites.
  module PuppetInternals
    def self.scope(*) = Puppet::Parser::Scope.top
  end
end
