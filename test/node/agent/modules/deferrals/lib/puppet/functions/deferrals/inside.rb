# Reads facts and calls other functions.
Puppet::Functions.create_function(:'deferrals::inside', Puppet::Functions::InternalFunction) do
  dispatch :inside do
    scope_param
    param 'String', :word
  end

  def inside(scope, word)
    kernel = scope['facts']['kernel']
    [kernel, Facter.value(:kernel), call_function('upcase', word), call_function('deferrals::plain', word, 'x')].join(' ')
  end
end
