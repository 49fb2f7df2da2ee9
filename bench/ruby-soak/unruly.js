// A module whose Ruby does all that leaves the stack in the middle: exceptions and throws through blocks of C, fibers and
// enumerators, and calls from Ruby to the manifest and back, at any depth.

/** Text by path. */
export const unrulyFiles = {
  'site/unruly/manifests/init.pp': `# Says what all of it came to.
class unruly {
  $said = unruly::descend(6, String($facts['round'])) |Integer $depth, String $text| {
    unruly::join([$text, unruly::raised($depth), unruly::thrown($depth)])
  }
  notify { $said: }
  notify { unruly::alternate(12): }
  $facts['processors']['models'].each |Integer $index, String $model| {
    notify { "\${index} \${model}": message => template('unruly/nested.erb') }
  }
}
`,
  'site/unruly/functions/back.pp': `# From Ruby, and to Ruby again.
function unruly::back(Integer $depth, String $text) {
  $depth ? {
    0       => $text,
    default => unruly::descend($depth - 1, "\${text}.") |Integer $inner, String $said| { "\${said}\${inner}" },
  }
}
`,
  'site/unruly/lib/puppet/functions/unruly/descend.rb': `# Calls itself through the manifest, from blocks of C whose results only C holds.
Puppet::Functions.create_function(:'unruly::descend') do
  dispatch :descend do
    param 'Integer', :depth
    param 'String', :text
    block_param 'Callable[2, 2]', :block
  end

  def descend(depth, text)
    parts = ('a'..'e').each_with_index.map do |letter, index|
      said = yield(depth, "#{text}#{letter * 10}")
      depth > 0 && index == 2 ? call_function('unruly::back', depth - 1, said) : said.reverse
    end
    parts.each_slice(2).map { |pair| pair.join('-') }.sort_by(&:size).join(' ')[0, 200]
  end
end
`,
  'site/unruly/lib/puppet/functions/unruly/join.rb': `# Joins texts by way of a scanner and a hash with defaults.
Puppet::Functions.create_function(:'unruly::join') do
  dispatch :join do
    param 'Array', :texts
  end

  def join(texts)
    counts = texts.flat_map { |text| text.scan(/\\w+/) }.each_with_object(Hash.new(0)) { |word, all| all[word] += 1 }
    counts.map { |word, count| format('%s%d', word, count) }.join('_')[0, 120]
  end
end
`,
  'site/unruly/lib/puppet/functions/unruly/raised.rb': `# Raises through blocks of C, and rescues outside of them.
Puppet::Functions.create_function(:'unruly::raised') do
  dispatch :raised do
    param 'Integer', :depth
  end

  def raised(depth)
    Array.new(depth + 3) do |index|
      [index].each { |each| { each => 'x' * each }.each_value { |value| Integer(value) } }
    rescue ArgumentError => error
      "#{error.class.name}#{error.message.size}"
    end.join
  end
end
`,
  'site/unruly/lib/puppet/functions/unruly/thrown.rb': `# Throws from an enumerator that is left in the middle, one more each time.
Puppet::Functions.create_function(:'unruly::thrown') do
  dispatch :thrown do
    param 'Integer', :depth
  end

  def thrown(depth)
    found = catch(:found) do
      numbers = Enumerator.new { |all| 100.times { |number| all << number.to_s.rjust(20, '0') } }
      loop { throw :found, numbers.next if numbers.peek.to_i > depth + 2; numbers.next }
    end
    found.sub(/\\A0+/) { |zeros| zeros.size.to_s + 'z' }
  end
end
`,
  'site/unruly/lib/puppet/functions/unruly/alternate.rb': `# Fibers in turns, each in the middle of a block of C.
Puppet::Functions.create_function(:'unruly::alternate') do
  dispatch :alternate do
    param 'Integer', :count
  end

  def alternate(count)
    fibers = Array.new(count) { |number| Fiber.new { (1..count).map { |each| Fiber.yield("#{number}:#{each}") || each.to_s }.join } }
    said = Array.new(count) { |round| fibers.map { |fiber| fiber.resume(round.to_s * 3) }.join(',') }
    (said + fibers.map { |fiber| fiber.resume('end') }).join(';').sum.to_s
  end
end
`,
  'site/unruly/templates/nested.erb': `<%- [1, 2, 3].map do |number| -%>
<%= number %> <%= @facts['round'] %> <%= scope.call_function('unruly::join', [[@model, "m#{number}"]]) %>
<%= scope.function_template(['unruly/leaf.erb']) %>
<%- end -%>
`,
  'site/unruly/templates/leaf.erb': `<%= @facts.sort_by { |name, _| name }.map { |name, value| "#{name}#{value.to_s.size}" }.join(' ') %>
`,
}
