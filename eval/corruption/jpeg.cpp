#include "corruption/jpeg.hpp"

#include <cmath>
#include <csetjmp>
#include <cstdint>
#include <cstdio>  // jpeglib.h uses it without including it
#include <cstdlib>
#include <memory>
#include <new>

#include <jpeglib.h>

namespace stad::corruption {
namespace {

/// Replaces libjpeg's handler, which prints and exits, by a jump back to the caller. No frame in between has a
/// destructor.
struct JpegErrors : jpeg_error_mgr {
  std::jmp_buf back;
};

JpegErrors* silent(JpegErrors& manager) {
  jpeg_std_error(&manager);
  manager.error_exit = [](j_common_ptr codec) { std::longjmp(static_cast<JpegErrors*>(codec->err)->back, 1); };
  manager.output_message = [](j_common_ptr) {};
  return &manager;
}

/// InterleavedPixels with interleaved channels, the layout of libjpeg.
struct InterleavedPixels {
  Index height = 0;
  Index width = 0;
  Index channels = 0;
  std::vector<JSAMPLE> bytes;

  JSAMPLE* row(JDIMENSION y) { return bytes.data() + static_cast<std::ptrdiff_t>(y) * width * channels; }
};

/// A JPEG file in memory that libjpeg has allocated.
struct JpegFile {
  unsigned char* bytes = nullptr;
  unsigned long size = 0;  // NOLINT(google-runtime-int): libjpeg's type

  JpegFile() = default;
  JpegFile(const JpegFile&) = delete;
  JpegFile& operator=(const JpegFile&) = delete;
  ~JpegFile() { std::free(bytes); }
};

void compress(jpeg_compress_struct& codec, InterleavedPixels& pixels, int quality, JpegFile& file) {
  jpeg_mem_dest(&codec, &file.bytes, &file.size);
  codec.image_height = static_cast<JDIMENSION>(pixels.height);
  codec.image_width = static_cast<JDIMENSION>(pixels.width);
  codec.input_components = static_cast<int>(pixels.channels);
  codec.in_color_space = pixels.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(&codec);
  jpeg_set_quality(&codec, quality, TRUE);
  jpeg_start_compress(&codec, TRUE);
  while (codec.next_scanline < codec.image_height) {
    JSAMPROW row = pixels.row(codec.next_scanline);
    jpeg_write_scanlines(&codec, &row, 1);
  }
  jpeg_finish_compress(&codec);
}

void decompress(jpeg_decompress_struct& codec, const JpegFile& file, InterleavedPixels& pixels) {
  jpeg_mem_src(&codec, file.bytes, file.size);
  jpeg_read_header(&codec, TRUE);
  jpeg_start_decompress(&codec);
  while (codec.output_scanline < codec.output_height) {
    JSAMPROW row = pixels.row(codec.output_scanline);
    jpeg_read_scanlines(&codec, &row, 1);
  }
  jpeg_finish_decompress(&codec);
}

bool try_compress(InterleavedPixels& pixels, int quality, JpegFile& file) {
  JpegErrors errors;
  jpeg_compress_struct codec{};
  codec.err = silent(errors);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_compress(&codec);
    return false;
  }
  jpeg_create_compress(&codec);
  compress(codec, pixels, quality, file);
  jpeg_destroy_compress(&codec);
  return true;
}

bool try_decompress(const JpegFile& file, InterleavedPixels& pixels) {
  JpegErrors errors;
  jpeg_decompress_struct codec{};
  codec.err = silent(errors);
  if (setjmp(errors.back) != 0) {
    jpeg_destroy_decompress(&codec);
    return false;
  }
  jpeg_create_decompress(&codec);
  decompress(codec, file, pixels);
  jpeg_destroy_decompress(&codec);
  return true;
}

InterleavedPixels interleaved(const Image& image) {
  InterleavedPixels pixels{image[0].height, image[0].width, static_cast<Index>(image.size()), {}};
  for (std::size_t i = 0; i < image[0].values.size(); ++i)
    for (const auto& plane : image)
      pixels.bytes.push_back(static_cast<JSAMPLE>(std::lround(nearest_level(plane.values[i]) * 255)));
  return pixels;
}

Image planar(const InterleavedPixels& pixels) {
  Image image(static_cast<std::size_t>(pixels.channels), Plane(pixels.height, pixels.width));
  auto byte = pixels.bytes.begin();
  for (std::size_t i = 0; i < image[0].values.size(); ++i)
    for (auto& plane : image) plane.values[i] = static_cast<float>(*byte++) / 255;
  return image;
}

}  // namespace

Image jpeg_round_trip(const Image& image, int quality) {
  InterleavedPixels pixels = interleaved(image);
  JpegFile file;
  // Sizes and contents are valid, so that libjpeg can fail for lack of memory only.
  if (!try_compress(pixels, quality, file) || !try_decompress(file, pixels)) throw std::bad_alloc();
  return planar(pixels);
}

}  // namespace stad::corruption
