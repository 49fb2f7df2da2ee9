# Services by the commands of their attributes.
Puppet::Type.type(:service).provide(:candle, parent: :base)
