# What Ruby of a server's owner has on top of the Ruby of a node: report processors, termini, and their models.
%w[server_side values http report node indirector termini catalog operations].each { |name| require "#{Plumb::LIBRARY}/plug_ins/#{name}" }
