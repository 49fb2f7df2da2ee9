# Takes a secret as a secret.
Puppet::Functions.create_function(:'deferrals::opened') do
  dispatch :opened do
    param 'Sensitive[String]', :secret
  end

  def opened(secret)
    secret.unwrap.upcase
  end
end
