import perfspec
this is no Python
