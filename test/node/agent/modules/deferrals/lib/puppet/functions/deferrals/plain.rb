# Joins texts.
Puppet::Functions.create_function(:'deferrals::plain') do
  dispatch :plain do
    repeated_param 'String', :words
    return_type 'String'
  end

  def plain(*words)
    Puppet.notice("plain with #{words.size} words")
    words.join('+')
  end
end
