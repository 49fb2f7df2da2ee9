# Termini of this node: Facter, memory, and files in the formats of Puppet.
module Puppet
  class Node
    class Json < Indirector::JSON; end
    class Memory < Indirector::Memory; end
    class Yaml < Indirector::Yaml; end

    class Facts
      class Json < Indirector::JSON; end
      class Memory < Indirector::Memory; end
      class Yaml < Indirector::Yaml; end

      # The facts of this machine.
      class Facter < Indirector::Code
        def find(request)
          facts = Facts.new(request.key, ::Facter.to_hash)
          facts.add_local_facts
          facts.sanitize
          facts
        end

        def save(_request) = raise(Puppet::DevError, 'You cannot save facts to the code store; it is only used for getting facts from Facter')
        def destroy(_request) = raise(Puppet::DevError, 'You cannot destroy facts in the code store; it is only used for getting facts from Facter')
      end
    end
  end

  class Resource
    class Catalog
      class Json < Indirector::JSON; end
      class Yaml < Indirector::Yaml; end
    end
  end

  class Transaction
    class Report
      # Only the last report is stored.
      module LastReport
        def path(_name, _extension = nil) = Puppet[:lastrunreport]
      end

      class Json < Indirector::JSON
        include LastReport
      end

      class Yaml < Indirector::Yaml
        include LastReport
      end
    end
  end
end
