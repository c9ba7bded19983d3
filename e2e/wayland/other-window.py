"""A window of another program, which takes the focus. With paths, they are dragged from it, as files from a file manager."""

import pathlib
import sys

import gi

gi.require_version('Gtk', '3.0')
from gi.repository import Gdk, Gtk  # noqa: E402

uris = [pathlib.Path(path).as_uri() for path in sys.argv[1:]]
window = Gtk.Window(title='Other')
window.set_default_size(120, 80)
window.connect('destroy', Gtk.main_quit)
if uris:
    files = Gtk.EventBox()
    files.drag_source_set(Gdk.ModifierType.BUTTON1_MASK, [], Gdk.DragAction.COPY)
    files.drag_source_add_uri_targets()
    files.connect('drag-data-get', lambda _widget, _context, data, _info, _time: data.set_uris(uris))
    window.add(files)
window.show_all()
Gtk.main()
