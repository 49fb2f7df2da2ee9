# Reads a JSON array of YAML texts; prints for each a line of JSON: [text, value] or [text, null, error]. Values are written so
# that JSON keeps them apart: "s…" a string or the name of a symbol, "y…" the bytes of one that is not UTF-8, "i…" an integer, "d…" the bits of a float, "n", "t", "f",
# arrays, and {"m": pairs}.
require 'json'
require 'yaml'

def written(value)
  case value
  when nil then 'n'
  when true then 't'
  when false then 'f'
  when Integer then "i#{value}"
  when Float then "d#{[value].pack('G').unpack1('H*')}"
  when Symbol then "s#{value}"
  when String
    utf8 = value.dup.force_encoding('UTF-8')
    utf8.valid_encoding? ? "s#{utf8}" : "y#{value.unpack1('H*')}"
  when Array then value.map { |each| written(each) }
  when Hash then { 'm' => value.map { |pair| pair.map { |each| written(each) } } }
  else raise "a #{value.class}"
  end
end

JSON.parse($stdin.read).each do |text|
  # As Puppet::Util::Yaml does.
  puts JSON.generate([text, written(YAML.safe_load(text, permitted_classes: [Symbol], aliases: true))])
rescue StandardError, Psych::Exception => e
  puts JSON.generate([text, nil, e.message.sub(/\A\(<unknown>\): /, '')])
end
