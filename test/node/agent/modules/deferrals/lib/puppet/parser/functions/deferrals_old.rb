# A function of the Puppet 3 API.
module Puppet::Parser::Functions
  newfunction(:deferrals_old, type: :rvalue, arity: -2) do |arguments|
    raise Puppet::ParseError, "old: #{arguments[0]}" if arguments[0] == 'bad'

    "#{lookupvar('facts')['kernel']} #{function_sprintf(['%s', arguments[0]])}"
  end
end
