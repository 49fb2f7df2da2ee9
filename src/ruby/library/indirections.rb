# Models and their indirections, for faces and applications of modules on a node.
%w[values report node indirector termini catalog].each { |name| require "#{Plumb::LIBRARY}/plug_ins/#{name}" }
%w[service rest stored certificates files face].each { |name| require "#{Plumb::LIBRARY}/indirections/#{name}" }
Puppet::Transaction::Report.indirection.terminus_class = :rest
$LOADED_FEATURES.push(*%w[
  puppet/transaction puppet/transaction/report puppet/transaction/event puppet/resource/status puppet/resource/catalog puppet/relationship
  puppet/util/tagging puppet/util/tag_set puppet/util/psych_support puppet/network/format_support puppet/indirector
  puppet/indirector/indirection puppet/indirector/errors puppet/indirector/envelope puppet/indirector/request puppet/indirector/terminus
  puppet/indirector/plain puppet/indirector/code puppet/indirector/exec puppet/indirector/json puppet/indirector/yaml
  puppet/indirector/memory puppet/indirector/none puppet/indirector/rest puppet/indirector/face puppet/http/service puppet/http/session
].map { |name| "#{name}.rb" })
