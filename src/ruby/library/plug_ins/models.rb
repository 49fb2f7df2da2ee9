# The indirections of models that a server and a node have.
module Puppet
  Node.extend(Indirector).indirects(:node, terminus_setting: :node_terminus)
  Node::Facts.extend(Indirector).indirects(:facts, terminus_setting: :facts_terminus)
  Transaction::Report.extend(Indirector).indirects(:report)
end
