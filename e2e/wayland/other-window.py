"""A window of another program, which takes the focus."""

import gi

gi.require_version('Gtk', '3.0')
from gi.repository import Gtk  # noqa: E402

window = Gtk.Window(title='Other')
window.set_default_size(120, 80)
window.connect('destroy', Gtk.main_quit)
window.show_all()
Gtk.main()
